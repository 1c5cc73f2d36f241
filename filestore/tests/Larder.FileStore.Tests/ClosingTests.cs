using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>Tests that a closed cache writes nothing more to its folder.</summary>
public sealed class ClosingTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private DistributedFileStoreCacheString? _cache;

    private bool IsCompacting => _cache is not null && Temporaries().Length > 0;

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task Dispose_waits_for_running_compaction()
    {
        TaskCompletionSource<string[]> left = new();
        Thread closing = new(() =>
        {
            _cache!.Dispose();
            left.SetResult(Temporaries());
        });
        Open(() => closing.ThreadState == ThreadState.Unstarted && IsCompacting, () =>
        {
            closing.Start();
            closing.Join(TimeSpan.FromSeconds(1));
        });
        Assert.ThrowsAny<ObjectDisposedException>(() => _cache!.Engine().Compact());
        Assert.Empty(await left.Task);
    }

    [Fact]
    public void Dispose_may_be_called_from_within_a_compaction()
    {
        bool isClosed = false;
        Open(() => !isClosed && IsCompacting, () =>
        {
            isClosed = true;
            _cache!.Dispose();
        });
        Assert.ThrowsAny<ObjectDisposedException>(() => _cache!.Engine().Compact());
        Assert.True(isClosed);
        Assert.Empty(Temporaries());
    }

    [Fact]
    public void Disposed_cache_does_not_recreate_deleted_folder()
    {
        bool isDue = false;
        ManualTime clock = new();
        Open(
            () => isDue,
            () =>
            {
                isDue = false;
                _cache!.Dispose();
                Directory.Delete(_folder.Path, recursive: true);
            },
            clock);
        isDue = true;
        clock.Advance(TimeSpan.FromSeconds(2));
        Assert.False(isDue);
        Assert.False(Directory.Exists(_folder.Path));
        Directory.CreateDirectory(_folder.Path);
    }

    [Fact]
    public async Task Dispose_during_compaction_is_not_reported_as_fault()
    {
        using DistributedFileStoreCacheString other = _folder.Open();
        for (int round = 0; round < 100; round++)
        {
            using CacheEngine engine = _folder.Engine();
            // Because there are unread lines, the compaction reads the file first.
            other.Set("key", "value");
            using Barrier start = new(2);
            Task compacting = Task.Factory.StartNew(
                () =>
                {
                    start.SignalAndWait();
                    return Record.Exception(() => engine.Compact());
                },
                TaskCreationOptions.LongRunning);
            start.SignalAndWait();
            engine.Dispose();
            Assert.Equal((0, null), (engine.Faults, engine.LastFault));
            await compacting;
        }
    }

    private void Open(Func<bool> isTime, Action action, TimeProvider? clock = null)
    {
        _cache = _folder.Open(o => o.TimeProvider = new HookedTime(isTime, action, clock));
        _cache.Set("key", "value");
    }

    private string[] Temporaries() => Directory.GetFiles(_folder.Path, "*.tmp");
}
