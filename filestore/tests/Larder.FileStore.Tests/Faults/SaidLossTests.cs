using System.Text;
using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>
/// Acknowledged entries can be lost if a person deletes, truncates or replaces the file, but the loss must be reported. Each cache that had the file open
/// reports a fault before a read returns without the entry, whichever process recreated the file. A cache that opens the file reports that there was another.
/// </summary>
public sealed class SaidLossTests : IDisposable
{
    private readonly ScratchFolder _folder = new();
    private readonly ManualTime _time = new();

    public void Dispose() => _folder.Dispose();

    private DistributedFileStoreCacheString Open() => _folder.Open(o => o.TimeProvider = _time);

    private DistributedFileStoreCacheString OpenPolled() =>
        _folder.Open(o => (o.TimeProvider, o.Coherence, o.PollInterval) = (_time, FileStoreCoherence.Polled, TimeSpan.Zero));

    private static void AssertSaid(DistributedFileStoreCacheString cache, string key)
    {
        Assert.Null(cache.Get(key));
        Assert.Equal(1, cache.Status.Faults);
        Assert.Null(cache.Status.Fault);
    }

    /// <summary>Sets an entry with an expiration, for which an opening cache requests the time, and one without.</summary>
    private static void Fill(DistributedFileStoreCacheString cache)
    {
        cache.Set("expiring", "1", new() { AbsoluteExpirationRelativeToNow = TimeSpan.FromHours(1) });
        cache.Set("key", "value");
    }

    [Fact]
    public void A_file_deleted_while_another_opens_it_is_said_by_that_one_and_by_those_that_had_it_open()
    {
        using DistributedFileStoreCacheString writer = _folder.Open();
        using DistributedFileStoreCacheString reader = Open();
        Fill(writer);
        Assert.Equal("value", reader.Get("key"));
        CallingTime time = new(() => File.Delete(_folder.CacheFile));
        using DistributedFileStoreCacheString opener = _folder.Open(o => o.TimeProvider = time);
        Assert.Equal(1, time.Called);
        Assert.All([opener, reader, writer], c => AssertSaid(c, "key"));
        opener.Set("after", "1");
        Assert.All([opener, reader, writer], c => Assert.Equal("1", c.Get("after")));
        Assert.All([opener, reader, writer], c => Assert.Equal(1, c.Status.Faults));
    }

    [Fact]
    public void A_file_deleted_while_nobody_had_it_open_is_said_by_the_one_that_opens_next()
    {
        using (DistributedFileStoreCacheString writer = Open())
        {
            writer.Set("key", "value");
        }
        File.Delete(_folder.CacheFile);
        using (DistributedFileStoreCacheString opener = Open())
        {
            AssertSaid(opener, "key");
            Assert.Contains("deleted", opener.Status.LastFault);
        }
        using DistributedFileStoreCacheString next = Open();
        Assert.Equal(0, next.Status.Faults);
    }

    [Fact]
    public void A_new_cache_is_no_fault()
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
    public void What_another_process_went_on_without_is_said_by_each_that_goes_over_to_it(string harm)
    {
        using DistributedFileStoreCacheString writer = Open();
        using DistributedFileStoreCacheString reader = Open();
        using DistributedFileStoreCacheString late = Open();
        byte[] copy = SetTwo(writer);
        Assert.All([writer, reader, late], c => Assert.Equal("value", c.Get("key")));
        Harm(harm, copy);
        writer.Set("after", "1");
        AssertSaid(writer, "key");
        AssertSaid(reader, "key");
        // A cache that switches files after compactions finds the successor of a different file.
        writer.Engine().Compact();
        writer.Set("after", "2");
        writer.Engine().Compact();
        AssertSaid(late, "key");
        Assert.All([writer, reader, late], c => Assert.Equal("2", c.Get("after")));
        Assert.All([writer, reader, late], c => Assert.Equal(1, c.Status.Faults));
    }

    /// <summary>Sets an entry and then "key". Returns the contents of the file between the two.</summary>
    private byte[] SetTwo(DistributedFileStoreCacheString writer)
    {
        writer.Set("first", "1");
        byte[] copy = File.ReadAllBytes(_folder.CacheFile);
        writer.Set("key", "value");
        return copy;
    }

    private void Harm(string harm, byte[] copy)
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
    public void What_an_opener_went_on_without_is_said_by_those_that_had_it_open(string harm)
    {
        using DistributedFileStoreCacheString writer = Open();
        byte[] copy = SetTwo(writer);
        Harm(harm, copy);
        using DistributedFileStoreCacheString opener = Open();
        Assert.Null(opener.Get("key"));
        AssertSaid(writer, "key");
    }

    [Fact]
    public void An_overwritten_file_that_nobody_had_read_to_its_end_is_said_by_all()
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
        AssertSaid(second, "key");
        Assert.Equal("1", second.Get("after"));
    }

    [Fact]
    public void A_file_rebuilt_whole_from_memory_is_no_loss_to_those_that_go_over_to_it()
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
    public async Task Write_that_began_before_the_sidecar_was_deleted_is_not_lost()
    {
        using ManualResetEventSlim hasRead = new();
        using ManualResetEventSlim isWritten = new();
        bool isArmed = false;
        Sidecar? sidecar = null;
        Task<DistributedFileStoreCacheString>? opening = null;
        // The opener has read the file but has not replaced it with its own yet.
        HookedTime openersTime = new(() => !hasRead.IsSet && Directory.GetFiles(_folder.Path, "*.tmp").Length > 0, () =>
        {
            hasRead.Set();
            Assert.True(isWritten.Wait(TimeSpan.FromSeconds(60)));
        });
        // The writer has checked that the sidecar is the one at the path, but has written nothing yet.
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
    public void Who_cannot_go_over_to_a_new_sidecar_as_others_hold_its_lock_says_so_until_it_can()
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
    public void Who_goes_over_to_a_new_sidecar_to_write_waits_its_turn_among_those_that_write()
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
    public void A_polled_file_begun_anew_with_the_same_generation_is_gone_over_to_and_said()
    {
        using DistributedFileStoreCacheString first = OpenPolled();
        using DistributedFileStoreCacheString second = OpenPolled();
        first.Set("key", "value");
        Assert.Equal("value", second.Get("key"));
        File.Delete(_folder.CacheFile);
        using DistributedFileStoreCacheString opener = OpenPolled();
        opener.Set("longer", new string('v', 1000));
        AssertSaid(first, "key");
        Assert.Equal(1000, first.Get("longer")?.Length);
        second.Set("after", "1");
        AssertSaid(second, "key");
        Assert.All([first, second, opener], c => Assert.Equal("1", c.Get("after")));
        using DistributedFileStoreCacheString fresh = OpenPolled();
        Assert.Equal("1", fresh.Get("after"));
    }

    [Fact]
    public void A_polled_file_replaced_by_its_copy_gets_what_is_written_from_then_on()
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
    public void One_that_only_reads_says_it_too(string harm)
    {
        using DistributedFileStoreCacheString writer = Open();
        byte[] copy = SetTwo(writer);
        using DistributedFileStoreCacheString reader = _folder.Open(o => (o.ReadOnly, o.TimeProvider) = (true, _time));
        Harm(harm, copy);
        writer.Set("after", "1");
        AssertSaid(reader, "key");
        Assert.Equal("1", reader.Get("after"));
    }

    [Fact]
    public void One_that_only_reads_says_it_of_a_file_cut_short_that_nobody_writes()
    {
        using (DistributedFileStoreCacheString writer = Open())
        {
            writer.Set("key", "value");
        }
        using DistributedFileStoreCacheString reader = _folder.Open(o => (o.ReadOnly, o.TimeProvider) = (true, _time));
        _folder.Cut(LogHeader.Bytes);
        _time.Advance(TimeSpan.FromSeconds(1.1));
        AssertSaid(reader, "key");
    }
}
