using Larder.Harness.Clocks;


namespace Larder.FileStore.Tests;

/// <summary>Tests a file that was truncated during a write, so that the written line follows a hole.</summary>
public sealed class FileHoleTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Hole_is_detected_within_a_second_and_repaired_from_memory()
    {
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = _time);
        for (int i = 0; i < 100; i++)
        {
            cache.Set("key" + i, new string('v', 1000));
        }
        using (FileStream file = new(_folder.CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            long length = file.Length;
            file.SetLength(20_000);
            file.SetLength(length);
        }
        _time.Advance(TimeSpan.FromSeconds(1.1));
        Assert.Equal(1, cache.Status.Faults);
        using DistributedFileStoreCacheString fresh = _folder.Open(o => o.TimeProvider = _time);
        Assert.Equal(100, fresh.Count);
        Assert.Equal(0, fresh.Status.DamagedLines);
        cache.Set("after", "1");
        Assert.Equal("1", fresh.Get("after"));
    }

    [Fact]
    public void Reader_reports_hole_and_recovers_data_from_other_process()
    {
        using DistributedFileStoreCacheString writer = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString reader = _folder.Open(o => o.TimeProvider = _time);
        MakeHole(writer, reader);
        Assert.Equal("first", reader.Get("key"));
        Assert.Equal(1, reader.Status.Faults);
        Assert.Contains("does not contain all committed data", reader.Status.LastFault);
        _time.Advance(TimeSpan.FromSeconds(1.1));
        AssertWhole(reader);
        Assert.Null(reader.Status.Fault);
    }

    [Fact]
    public void Writer_and_opener_wait_for_process_that_can_repair_hole()
    {
        using DistributedFileStoreCacheString writer = _folder.Open();
        using DistributedFileStoreCacheString reader = _folder.Open();
        MakeHole(writer, reader);
        using DistributedFileStoreCacheString fresh = _folder.Open();
        reader.Set("after", "1");
        Assert.All([writer, reader, fresh], AssertWhole);
        Assert.Equal("1", fresh.Get("after"));
    }

    [Fact]
    public void Write_succeeds_and_reports_loss_of_an_unrepairable_hole()
    {
        DistributedFileStoreCacheString writer = _folder.Open();
        using DistributedFileStoreCacheString reader = _folder.Open();
        MakeHole(writer, reader);
        writer.Dispose();
        reader.Set("after", "1");
        Assert.Equal(("1", "last"), (reader.Get("after"), reader.Get("last")));
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal(("1", "last"), (fresh.Get("after"), fresh.Get("last")));
        Assert.Contains("their entries are lost", reader.Status.LastFault);
        Assert.Null(reader.Status.Fault);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Loss_found_during_open_is_reported_by_all_caches(int compactions)
    {
        using DistributedFileStoreCacheString writer = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString reader = _folder.Open(o => o.TimeProvider = _time);
        MakeHole(writer, reader);
        // The other caches do not rebuild the file because their clock does not advance. This simulates processes that get no processor time.
        using DistributedFileStoreCacheString opener = OpenWithShortTimeouts();
        Assert.Contains("their entries are lost", opener.Status.LastFault);
        for (int i = 0; i < compactions; i++)
        {
            opener.Engine().Compact();
        }
        opener.Set("after", "1");
        AssertAgreeAndReported(opener, writer, reader);
    }

    [Fact]
    public void All_caches_report_loss_after_new_cache_checks_the_file()
    {
        using DistributedFileStoreCacheString writer = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString reader = _folder.Open(o => o.TimeProvider = _time);
        MakeHole(writer, reader);
        using DistributedFileStoreCacheString opener = OpenWithShortTimeouts();
        opener.Engine().CheckIdentityNow();
        AssertAgreeAndReported(opener, writer, reader);
    }

    [Fact]
    public void Open_waits_for_repair_of_hole_that_appears_during_load()
    {
        using DistributedFileStoreCacheString writer = _folder.Open();
        using DistributedFileStoreCacheString reader = _folder.Open();
        // The cache that is being opened reads the clock while it reads this entry.
        writer.Set("expiring", "1", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
        ReentrantTime time = new(() => MakeHole(writer, reader));
        using DistributedFileStoreCacheString opener = _folder.Open(o => o.TimeProvider = time);
        Assert.Equal(1, time.Called);
        Assert.All([writer, reader, opener], AssertWhole);
    }

    [Fact]
    public void Write_repairs_hole_that_periodic_check_skipped_because_of_lock()
    {
        using DistributedFileStoreCacheString writer = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString reader = _folder.Open(o => o.TimeProvider = _time);
        MakeHole(writer, reader);
        using (Sidecar another = Sidecar.Open(_folder.CacheFile + ".idx"))
        {
            Assert.True(another.TryLock());
            _time.Advance(TimeSpan.FromSeconds(1.1));
            another.Unlock();
        }
        writer.Set("after", "1");
        using DistributedFileStoreCacheString opener = OpenWithShortTimeouts();
        Assert.All([writer, reader, opener], AssertWhole);
        Assert.Equal((1, 0), (writer.Status.Faults, opener.Status.Faults));
    }

    [Fact]
    public void Compaction_fails_instead_of_copying_a_hole()
    {
        using DistributedFileStoreCacheString writer = _folder.Open(o => o.TimeProvider = _time);
        using DistributedFileStoreCacheString reader = _folder.Open(o => o.TimeProvider = _time);
        bool isHoled = false;
        // This action runs after the compaction has captured the table, and before it copies the lines that were written after the capture.
        HookedTime time = new(() => !isHoled && Directory.GetFiles(_folder.Path, "*.tmp").Length > 0, () =>
        {
            isHoled = true;
            MakeHole(writer, reader);
        }, _time);
        using DistributedFileStoreCacheString compactor = _folder.Open(o => o.TimeProvider = time);
        compactor.Set("before", "1");
        Assert.Throws<EndOfStreamException>(() => compactor.Engine().Compact());
        Assert.True(isHoled);
        writer.Engine().CheckIdentityNow();
        using DistributedFileStoreCacheString opener = OpenWithShortTimeouts();
        Assert.All([writer, reader, compactor, opener], AssertWhole);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Compaction_of_polled_file_with_hole_is_reported_as_loss(bool hasLinesAfterHole)
    {
        using DistributedFileStoreCacheString writer = OpenPolled();
        using DistributedFileStoreCacheString reader = OpenPolled();
        MakeHole(writer, reader);
        if (hasLinesAfterHole)
        {
            writer.Set("more", "1");
        }
        Assert.Equal("first", reader.Get("key"));
        reader.Engine().Compact();
        reader.Set("after", "1");
        Assert.Equal(("1", "first"), (writer.Get("after"), writer.Get("key")));
        Assert.Contains("recreated by another process", writer.Status.LastFault);
    }

    private DistributedFileStoreCacheString OpenPolled() =>
        _folder.Open(o => (o.TimeProvider, o.Coherence, o.PollInterval) = (_time, FileStoreCoherence.Polled, TimeSpan.Zero));

    private DistributedFileStoreCacheString OpenWithShortTimeouts() =>
        new(new CacheFileHandler(_folder.Engine(s => s with { RecoveryTimeout = TimeSpan.Zero })));

    private static void AssertAgreeAndReported(DistributedFileStoreCacheString opener, params DistributedFileStoreCacheString[] others) =>
        Assert.All(others, c =>
        {
            Assert.Equal((opener.Get("key"), opener.Get("key7"), opener.Get("after")), (c.Get("key"), c.Get("key7"), c.Get("after")));
            Assert.Equal(1, c.Status.Faults);
        });

    /// <summary>Truncates the file during the writer's last write. The reader has read up to key = first.</summary>
    private void MakeHole(DistributedFileStoreCacheString writer, DistributedFileStoreCacheString reader)
    {
        writer.Set("key", "first");
        Assert.Equal("first", reader.Get("key"));
        long length = new FileInfo(_folder.CacheFile).Length;
        writer.Set("key", "second");
        for (int i = 0; i < 20; i++)
        {
            writer.Set("key" + i, new string('v', 10_000));
        }
        long hole = new FileInfo(_folder.CacheFile).Length;
        writer.Set("last", "last");
        byte[] last = File.ReadAllBytes(_folder.CacheFile)[(int)hole..];
        using FileStream file = new(_folder.CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        file.SetLength(length);
        file.Position = hole;
        file.Write(last);
    }

    private static void AssertWhole(DistributedFileStoreCacheString cache)
    {
        Assert.Equal(("second", "last"), (cache.Get("key"), cache.Get("last")));
        Assert.Equal(20, cache.GetByPrefix("key").Count - 1);
    }
}
