// A rank with its file: see client.hpp.
#include "benchmarks/storage/posix/client.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <utility>

#include "benchmarks/storage/files/page_cache.hpp"

namespace heorot::posix {

namespace {

// Blocks that are transferred outside the timer.
constexpr std::size_t plain_block = std::size_t{1} << 20U;

}  // namespace

Client::Client(int rank, int directory, std::size_t bytes, Parts& parts)
    : directory_(directory),
      name_(std::string(OwnDirectory::file_prefix) + std::to_string(rank)),
      parts_(parts),
      content_(rank, bytes) {}

files::File Client::open(int flags) {
    return {directory_, name_.c_str(), flags, trouble_};
}

void Client::begin(const Kind& kind) {
    if (engine_ == nullptr || kind.depth != kind_.depth) engine_ = make_engine(kind.depth);
    kind_ = kind;
    order_.resize(content_.size() / kind.block);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    offsets_.resize(kind.blocks);
    n_wrong_ = 0;
    is_chosen_ = has_read_ = false;
    cached_before_ = kind.is_cached ? 1.0 : 0.0;
}

void Client::lay_out() {
    if (is_whole_ || trouble_.is_there()) return;
    content_.next_pass();
    content_.renew(0, content_.size());
    files::File file = open(O_WRONLY | O_CREAT);
    if (!trouble_.is_there()) files::write_all(file.number(), content_.buffer(), 0, trouble_);
    file.synchronise(trouble_);
    file.close(trouble_);
    is_whole_ = !trouble_.is_there();
}

void Client::choose_blocks() {
    if (kind_.is_random) {
        // The first of a permutation, of which only these are made (Fisher and Yates).
        for (std::size_t i = 0; i < kind_.blocks; ++i) {
            const std::size_t left = order_.size() - i;
            std::swap(order_[i], order_[i + files::mix(++n_chosen_) % left]);
        }
    }
    for (std::size_t i = 0; i < kind_.blocks; ++i) offsets_[i] = order_[i] * kind_.block;
}

void Client::settle_cache() {
    const files::File file = open(O_RDONLY);
    if (!file.is_open()) return;
    if (kind_.is_cached) {
        files::read_all(file.number(), content_.buffer(), 0, trouble_);
    } else {
        files::drop_from_cache(file, trouble_);
    }
    // Unknown is as good as wrong.
    const double otherwise = kind_.is_cached ? 0.0 : 1.0;
    const double share = files::cached_share(file, content_.size()).value_or(otherwise);
    cached_before_ =
        kind_.is_cached ? std::min(cached_before_, share) : std::max(cached_before_, share);
}

void Client::prepare() {
    if (trouble_.is_there()) return;
    verify();
    const bool is_new = !std::exchange(is_chosen_, true);
    if (is_new) choose_blocks();
    if (kind_.makes_file()) {
        if (is_whole_ && unlinkat(directory_, name_.c_str(), 0) != 0) {
            trouble_.keep("unlink", errno);
        }
        is_whole_ = false;
    } else {
        lay_out();
        settle_cache();
    }
    if (kind_.writes) {
        if (is_new) content_.next_pass();
        for (const std::size_t offset : offsets_) content_.renew(offset, kind_.block);
    } else {
        content_.wipe(0, content_.size());
    }
}

void Client::run() {
    if (trouble_.is_there()) return;
    is_chosen_ = false;
    files::File file;
    {
        const auto timed = parts_.all.enter(parts_.open);
        const int access = kind_.writes ? O_WRONLY : O_RDONLY;
        file = open(access | kind_.flags | (kind_.makes_file() ? O_CREAT | O_EXCL : 0));
        if (kind_.is_random) posix_fadvise(file.number(), 0, 0, POSIX_FADV_RANDOM);
    }
    if (!file.is_open()) return;
    {
        const auto timed = parts_.all.enter(parts_.transfer);
        engine_->run({.file = file.number(),
                      .writes = kind_.writes,
                      .block = kind_.block,
                      .offsets = offsets_,
                      .buffer = content_.buffer().data()},
                     trouble_);
    }
    if (kind_.writes) {
        const auto timed = parts_.all.enter(parts_.flush);
        file.synchronise(trouble_);
    }
    {
        const auto timed = parts_.all.enter(parts_.close);
        file.close(trouble_);
    }
    is_whole_ = is_whole_ || kind_.makes_file();
    has_read_ = !kind_.writes;
}

void Client::fetch() {
    if (!kind_.writes || trouble_.is_there()) return;
    files::File file = open(O_RDONLY);
    if (!file.is_open()) return;
    files::drop_from_cache(file, trouble_);
    content_.wipe(0, content_.size());
    files::read_all(file.number(), content_.buffer(), 0, trouble_);
    file.close(trouble_);
    // All of it is verified, in blocks.
    kind_.block = std::min(plain_block, content_.size());
    offsets_.clear();
    for (std::size_t at = 0; at < content_.size(); at += kind_.block) offsets_.push_back(at);
    has_read_ = true;
}

void Client::verify() {
    if (!std::exchange(has_read_, false)) return;
    for (const std::size_t offset : offsets_) {
        const std::size_t length = std::min(kind_.block, content_.size() - offset);
        n_wrong_ += content_.n_wrong(offset, length);
    }
}

std::span<std::byte> Client::first_block() {
    return content_.buffer().subspan(offsets_.front(), kind_.block);
}

}  // namespace heorot::posix
