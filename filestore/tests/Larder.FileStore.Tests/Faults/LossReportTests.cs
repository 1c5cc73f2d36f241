using System.Text;
using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>
/// Tests that a loss of acknowledged entries is reported. Entries can be lost if a person deletes, truncates or replaces the file. Each cache that had the file
/// open must report a fault before a read misses the entry, regardless of which process recreated the file. A cache that opens the new file must report that
/// another file was in use before.
/// </summary>
public sealed class LossReportTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open() => _folder.Open(o => o.TimeProvider = _time);

    private DistributedFileStoreCacheString OpenPolled() =>
        _folder.Open(o => (o.TimeProvider, o.Coherence, o.PollInterval) = (_time, FileStoreCoherence.Polled, TimeSpan.Zero));

    private static void AssertReported(DistributedFileStoreCacheString cache, string key)
    {
        Assert.Null(cache.Get(key));
        Assert.Equal(1, cache.Status.Faults);
        Assert.Null(cache.Status.Fault);
    }

    /// <summary>Sets an entry with an expiration and an entry without an expiration. A cache that opens the file reads the clock for the first entry.</summary>
    private static void Fill(DistributedFileStoreCacheString cache)
    {
        cache.Set("expiring", "1", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
        cache.Set("key", "value");
    }

    [Fact]
    public void All_caches_report_file_deleted_while_another_cache_opens()
    {
        using DistributedFileStoreCacheString writer = _folder.Open();
        using DistributedFileStoreCacheString reader = Open();
        Fill(writer);
        Assert.Equal("value", reader.Get("key"));
        ReentrantTime time = new(() => File.Delete(_folder.CacheFile));
        using DistributedFileStoreCacheString opener = _folder.Open(o => o.TimeProvider = time);
        Assert.Equal(1, time.Called);
        Assert.All([opener, reader, writer], c => AssertReported(c, "key"));
        opener.Set("after", "1");
        Assert.All([opener, reader, writer], c => Assert.Equal("1", c.Get("after")));
        Assert.All([opener, reader, writer], c => Assert.Equal(1, c.Status.Faults));
    }

    [Fact]
    public void Only_first_cache_opened_after_file_deletion_reports_the_loss()
    {
        using (DistributedFileStoreCacheString writer = Open())
        {
            writer.Set("key", "value");
        }
        File.Delete(_folder.CacheFile);
        using (DistributedFileStoreCacheString opener = Open())
        {
            AssertReported(opener, "key");
            Assert.Contains("deleted", opener.Status.LastFault);
        }
        using DistributedFileStoreCacheString next = Open();
        Assert.Equal(0, next.Status.Faults);
    }

    [Fact]
    public void New_cache_reports_no_fault()
    {
        using DistributedFileStoreCacheString cache = Open();
        Assert.Equal(0, cache.Status.Faults);
    }

    [Theory]
    [InlineData("deleted")]
    [InlineData("cut short")]
    [InlineData("an older copy")]
    [InlineData("another cache's")]
    [InlineData("edited")]
    public void Each_cache_reports_loss_when_it_switches_to_new_file(string harm)
    {
        using DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString reader = Open();
        using DistributedFileStoreCacheString late = Open();
        byte[] copy = SetTwo(writer);
        Assert.All([writer, reader, late], c => Assert.Equal("value", c.Get("key")));
        Damage(harm, copy);
        writer.Set("after", "1");
        AssertReported(writer, "key");
        AssertReported(reader, "key");
        // This cache switches to the file at the path, which was compacted from a different file.
        writer.Engine().Compact();
        writer.Set("after", "2");
        writer.Engine().Compact();
        AssertReported(late, "key");
        Assert.All([writer, reader, late], c => Assert.Equal("2", c.Get("after")));
        Assert.All([writer, reader, late], c => Assert.Equal(1, c.Status.Faults));
    }

    /// <summary>Sets an entry and then "key". Returns the contents that the file had between the two sets.</summary>
    private byte[] SetTwo(DistributedFileStoreCacheString writer)
    {
        writer.Set("first", "1");
        byte[] copy = File.ReadAllBytes(_folder.CacheFile);
        writer.Set("key", "value");
        return copy;
    }

    private void Damage(string harm, byte[] copy)
    {
        switch (harm)
        {
            case "deleted":
                File.Delete(_folder.CacheFile);
                break;
            case "cut short":
                _folder.Cut(copy.Length);
                break;
            case "an older copy":
                Replace(copy);
                break;
            case "another cache's":
                Replace([.. new LogHeader(17, false, 1, LogHeader.Bytes, 0).ToBytes(), .. copy.AsSpan(LogHeader.Bytes)]);
                break;
            default:
                Replace([.. copy, .. "{\"k\":\"by hand\",\"v\":\"longer than what was there before\"}\n"u8]);
                break;
        }
    }

    private void Replace(byte[] content)
    {
        string beside = Path.Combine(_folder.Path, "beside");
        File.WriteAllBytes(beside, content);
        File.Move(beside, _folder.CacheFile, overwrite: true);
    }

    [Theory]
    [InlineData("cut short")]
    [InlineData("edited")]
    public void Running_caches_report_loss_found_when_another_cache_opens(string harm)
    {
        using DistributedFileStoreCacheString writer = Open();
        byte[] copy = SetTwo(writer);
        Damage(harm, copy);
        using DistributedFileStoreCacheString opener = Open();
        Assert.Null(opener.Get("key"));
        AssertReported(writer, "key");
    }

    [Fact]
    public void All_caches_report_loss_when_incompletely_read_file_is_overwritten()
    {
        DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString first = Open();
        using DistributedFileStoreCacheString second = Open();
        writer.Set("key", "value");
        Assert.All([first, second], c => Assert.Equal("value", c.Get("key")));
        writer.Set("unread", "1");
        writer.Dispose();
        using (FileStream file = new(_folder.CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
        {
            file.SetLength(0);
            file.Write(Encoding.UTF8.GetBytes("precious\n"));
        }
        first.Set("after", "1");
        Assert.Contains("recreated with 0 entries", first.Status.LastFault);
        AssertReported(second, "key");
        Assert.Equal("1", second.Get("after"));
    }

    [Fact]
    public void Other_caches_do_not_report_completely_rebuilt_file_as_loss()
    {
        using DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString reader = Open();
        writer.Set("key", "value");
        File.WriteAllText(_folder.CacheFile, "precious\n");
        writer.Set("after", "1");
        Assert.Equal(("value", "1"), (reader.Get("key"), reader.Get("after")));
        Assert.Equal((1, 0), (writer.Status.Faults, reader.Status.Faults));
    }

    [Fact]
    public async Task Write_started_before_deletion_of_sidecar_is_not_lost()
    {
        using ManualResetEventSlim hasRead = new();
        using ManualResetEventSlim isWritten = new();
        bool isArmed = false;
        Sidecar? sidecar = null;
        Task<DistributedFileStoreCacheString>? opening = null;
        // At this point, the cache that is being opened has read the file but has not replaced it with a new file yet.
        HookedTime openersTime = new(() => !hasRead.IsSet && Directory.GetFiles(_folder.Path, "*.tmp").Length > 0, () =>
        {
            hasRead.Set();
            Assert.True(isWritten.Wait(TimeSpan.FromSeconds(60)));
        });
        // At this point, the writer has checked that its sidecar is the file at the path, but has written nothing yet.
        HookedTime writersTime = new(() => isArmed && IsLocked(), () =>
        {
            isArmed = false;
            File.Delete(_folder.CacheFile + ".idx");
            opening = Task.Run(() => _folder.Open(o => o.TimeProvider = openersTime));
            Assert.True(hasRead.Wait(TimeSpan.FromSeconds(60)));
        }, _time);
        using DistributedFileStoreCacheString writer = _folder.Open(o => o.TimeProvider = writersTime);
        Fill(writer);
        sidecar = Sidecar.Open(_folder.CacheFile + ".idx");
        isArmed = true;
        writer.SetMany([new("meanwhile", "1"), new("key", "2")]);
        isWritten.Set();
        sidecar.Dispose();
        using DistributedFileStoreCacheString opener = await opening!;
        using DistributedFileStoreCacheString fresh = Open();
        foreach (DistributedFileStoreCacheString cache in (DistributedFileStoreCacheString[])[opener, fresh, writer])
        {
            Assert.Equal("1", cache.Get("meanwhile"));
            Assert.Equal("2", cache.Get("key"));
        }
        opener.Set("after", "1");
        writer.Set("after", "2");
        Assert.All([opener, fresh, writer], c => Assert.Equal("2", c.Get("after")));

        bool IsLocked()
        {
            if (!sidecar!.TryLock())
            {
                return true;
            }
            sidecar.Unlock();
            return false;
        }
    }

    [Fact]
    public void Cache_reports_outdated_sidecar_until_the_cache_gets_the_lock()
    {
        using DistributedFileStoreCacheString reader = Open();
        reader.Set("key", "1");
        File.Delete(_folder.CacheFile + ".idx");
        using DistributedFileStoreCacheString writer = _folder.Open();
        writer.Set("key", "2");
        using (writer.Engine().HoldLock())
        {
            _time.Advance(TimeSpan.FromSeconds(1.1));
            Assert.Equal("1", reader.Get("key"));
            Assert.Contains("stale", reader.Status.Fault);
        }
        _time.Advance(TimeSpan.FromMilliseconds(250));
        Assert.Equal("2", reader.Get("key"));
        Assert.Null(reader.Status.Fault);
    }

    [Fact]
    public void Writer_that_switches_sidecar_waits_in_writer_queue()
    {
        using DistributedFileStoreCacheString late = Open();
        late.Set("key", "1");
        File.Delete(_folder.CacheFile + ".idx");
        using DistributedFileStoreCacheString writer = _folder.Open();
        using Sidecar sidecar = Sidecar.Open(_folder.CacheFile + ".idx");
        using (writer.Engine().HoldLock())
        {
            Task write = Task.Run(() => late.Set("key", "2"));
            Until.True(() => !sidecar.IsQueueEmpty);
            Assert.False(write.IsCompleted);
        }
        Until.True(() => writer.Get("key") == "2");
    }

    [Fact]
    public void Recreated_polled_file_with_same_generation_is_detected_and_reported()
    {
        using DistributedFileStoreCacheString first = OpenPolled();
        using DistributedFileStoreCacheString second = OpenPolled();
        first.Set("key", "value");
        Assert.Equal("value", second.Get("key"));
        File.Delete(_folder.CacheFile);
        using DistributedFileStoreCacheString opener = OpenPolled();
        opener.Set("longer", new string('v', 1000));
        AssertReported(first, "key");
        Assert.Equal(1000, first.Get("longer")?.Length);
        second.Set("after", "1");
        AssertReported(second, "key");
        Assert.All([first, second, opener], c => Assert.Equal("1", c.Get("after")));
        using DistributedFileStoreCacheString fresh = OpenPolled();
        Assert.Equal("1", fresh.Get("after"));
    }

    [Fact]
    public void Polled_file_replaced_by_copy_receives_later_writes()
    {
        using DistributedFileStoreCacheString cache = OpenPolled();
        cache.Set("key", "value");
        Replace(File.ReadAllBytes(_folder.CacheFile));
        cache.Set("after", "1");
        using DistributedFileStoreCacheString fresh = OpenPolled();
        Assert.Equal(("value", "1"), (fresh.Get("key"), fresh.Get("after")));
        Assert.Equal(("value", 0), (cache.Get("key"), cache.Status.Faults));
    }

    [Theory]
    [InlineData("deleted")]
    [InlineData("cut short")]
    [InlineData("another cache's")]
    public void Read_only_cache_reports_deleted_truncated_or_replaced_file(string harm)
    {
        using DistributedFileStoreCacheString writer = Open();
        byte[] copy = SetTwo(writer);
        using DistributedFileStoreCacheString reader = _folder.Open(o => (o.ReadOnly, o.TimeProvider) = (true, _time));
        Damage(harm, copy);
        writer.Set("after", "1");
        AssertReported(reader, "key");
        Assert.Equal("1", reader.Get("after"));
    }

    [Fact]
    public void Read_only_cache_without_writers_reports_truncated_file()
    {
        using (DistributedFileStoreCacheString writer = Open())
        {
            writer.Set("key", "value");
        }
        using DistributedFileStoreCacheString reader = _folder.Open(o => (o.ReadOnly, o.TimeProvider) = (true, _time));
        _folder.Cut(LogHeader.Bytes);
        _time.Advance(TimeSpan.FromSeconds(1.1));
        AssertReported(reader, "key");
    }
}
