using System.Diagnostics.Metrics;
using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>
/// Tests reads that cannot apply the latest lines of the file. Such a read reports a fault if the file is damaged, but not if a concurrent change is the cause.
/// </summary>
public sealed class CatchUpTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    /// <summary>A timeout that is long enough for slow test machines.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open() => _folder.Open(o => o.TimeProvider = _time);

    /// <summary>Returns a reader that has read key = 1, while the file contains key = 2.</summary>
    private DistributedFileStoreCacheString OpenOutdated(DistributedFileStoreCacheString writer, TimeSpan? patience = null)
    {
        DistributedFileStoreCacheString reader = new(new CacheFileHandler(
            _folder.Engine(s => s with { TimeProvider = _time, ReadTimeout = patience ?? s.ReadTimeout })));
        writer.Set("key", "1");
        Assert.Equal("1", reader.Get("key"));
        writer.Set("key", "2");
        return reader;
    }

    /// <summary>Sets the dirty flag in the sidecar, as during a write, until the result is disposed.</summary>
    private InChange BeginChange() => new(Sidecar.Open(_folder.CacheFile + ".idx"));

    [Fact]
    public void Read_reports_no_fault_while_another_cache_writes_continuously()
    {
        using DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString reader = OpenOutdated(writer);
        int writes = 2;
        using (RunOnCatchUp(() => writer.Set("key", $"{++writes}")))
        {
            Assert.Equal("2", reader.Get("key"));
        }
        Assert.Equal((0, null), (reader.Status.Faults, reader.Status.Fault));
        Assert.Equal("3", reader.Get("key"));
    }

    [Fact]
    public async Task Read_waits_while_file_is_rewritten_and_reports_no_fault()
    {
        using DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString reader = OpenOutdated(writer, Patience);
        byte[] whole = File.ReadAllBytes(_folder.CacheFile);
        Task<string?> read;
        using (BeginChange())
        {
            _folder.Cut(LogHeader.Bytes);
            read = BeginRead(reader);
            using FileStream file = new(_folder.CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
            file.Write(whole);
        }
        Assert.Equal("2", await read);
        Assert.Equal((0, null), (reader.Status.Faults, reader.Status.Fault));
    }

    [Fact]
    public async Task Read_waits_while_file_is_replaced_and_reports_no_fault()
    {
        using DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString reader = OpenOutdated(writer, Patience);
        Assert.True(writer.Engine().Compact());
        string aside = _folder.CacheFile + ".aside";
        Task<string?> read;
        using (BeginChange())
        {
            File.Move(_folder.CacheFile, aside);
            read = BeginRead(reader);
            File.Move(aside, _folder.CacheFile);
        }
        Assert.Equal("2", await read);
        Assert.Equal((0, null), (reader.Status.Faults, reader.Status.Fault));
    }

    [Fact]
    public void Reader_waits_for_unfinished_change_and_reports_fault_once()
    {
        using DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString reader = OpenOutdated(writer, TimeSpan.Zero);
        Assert.True(writer.Engine().Compact());
        string aside = _folder.CacheFile + ".aside";
        using (BeginChange())
        {
            File.Move(_folder.CacheFile, aside);
            Assert.Equal(("1", "1"), (reader.Get("key"), reader.Get("key")));
            Assert.Equal(1, reader.Status.Faults);
            Assert.Contains("served from memory", reader.Status.Fault);
            File.Move(aside, _folder.CacheFile);
        }
        Assert.Equal("2", reader.Get("key"));
        Assert.Equal((1, null), (reader.Status.Faults, reader.Status.Fault));
    }

    /// <summary>Starts a read on another thread and waits for a short time. A read that wrongly returns from memory completes in this time.</summary>
    private static Task<string?> BeginRead(DistributedFileStoreCacheString reader)
    {
        Task<string?> read = Task.Run(() => reader.Get("key"));
        // This delay is shorter than the time that a read waits for a change in progress.
        read.Wait(TimeSpan.FromMilliseconds(20));
        return read;
    }

    [Fact]
    public void Compaction_is_abandoned_without_fault_when_file_is_truncated()
    {
        using DistributedFileStoreCacheString other = _folder.Open();
        InChange? change = null;
        bool isDone = false;
        HookedTime time = new(() => !isDone && Directory.GetFiles(_folder.Path, "*.tmp").Length > 0, () =>
        {
            isDone = true;
            other.Set("key", new string('v', 100_000));
            change = BeginChange();
            _folder.Cut(LogHeader.Bytes);
        });
        using DistributedFileStoreCacheString compacting = _folder.Open(o => o.TimeProvider = time);
        compacting.Set("key", "1");
        Assert.False(compacting.Engine().Compact());
        Assert.NotNull(change);
        change.Dispose();
    }

    [Fact]
    public void Idle_reader_recovers_from_truncated_file_within_a_second()
    {
        DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString reader = Open();
        writer.Set("key", "1");
        Assert.Equal("1", reader.Get("key"));
        long length = new FileInfo(_folder.CacheFile).Length;
        writer.Set("key", "2");
        writer.Dispose();
        _folder.Cut(length);
        Assert.Equal("1", reader.Get("key"));
        Assert.Equal(1, reader.Status.Faults);
        Assert.NotNull(reader.Status.Fault);
        _time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Null(reader.Status.Fault);
        Assert.Equal("1", reader.Get("key"));
        using DistributedFileStoreCacheString fresh = Open();
        Assert.Equal("1", fresh.Get("key"));
    }

    /// <summary>Runs <paramref name="action"/> each time this thread has read lines that other processes wrote.</summary>
    private static MeterListener RunOnCatchUp(Action action)
    {
        int thread = Environment.CurrentManagedThreadId;
        MeterListener listener = new()
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name == "cache.caught_up.bytes")
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, _, _, _) =>
        {
            if (Environment.CurrentManagedThreadId == thread)
            {
                action();
            }
        });
        listener.Start();
        return listener;
    }

    private sealed class InChange : IDisposable
    {
        private readonly Sidecar _sidecar;

        internal InChange(Sidecar sidecar) => (_sidecar = sidecar).Dirty = true;

        public void Dispose()
        {
            _sidecar.Dirty = false;
            _sidecar.Dispose();
        }
    }
}
