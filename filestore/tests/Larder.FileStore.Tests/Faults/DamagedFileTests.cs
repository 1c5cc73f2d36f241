using System.Text;

namespace Larder.FileStore.Tests;

/// <summary>Tests F2 and F3 with a truncated file and with a file that has flipped bits.</summary>
public sealed class DamagedFileTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Truncated_file_is_recovered_to_last_complete_record(bool withoutSidecar)
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("first", "kept");
            cache.Set("last", "old");
            cache.Set("last", "new value");
        }
        byte[] whole = File.ReadAllBytes(_folder.CacheFile);
        int lastStart = whole.AsSpan(0, whole.Length - 1).LastIndexOf((byte)'\n') + 1;
        for (int cut = lastStart + 1; cut < whole.Length; cut++)
        {
            File.WriteAllBytes(_folder.CacheFile, whole[..cut]);
            if (withoutSidecar)
            {
                File.Delete(_folder.CacheFile + ".idx");
            }
            // A record without a line feed at the end of the file is complete. Some editors remove the last line feed.
            (string last, int warnings) = cut == whole.Length - 1 ? ("new value", 0) : ("old", 1);
            LogSpy log = new();
            using (DistributedFileStoreCacheString cache = _folder.Open(o => o.LoggerFactory = log))
            {
                Assert.Equal("kept", cache.Get("first"));
                Assert.Equal(last, cache.Get("last"));
                Assert.Equal(warnings, log.Warnings);
                cache.Set("after", "written");
            }
            using DistributedFileStoreCacheString again = _folder.Open();
            Assert.Equal("written", again.Get("after"));
            Assert.Equal(last, again.Get("last"));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Flipped_bit_turns_only_its_own_entry_into_a_miss(int record)
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("k1", "old one");
            cache.Set("k2", "old two");
            cache.Set("k3", "old three");
            cache.Set("k1", "one");
            cache.Set("k2", "two");
            cache.Set("k3", "three");
        }
        byte[] whole = File.ReadAllBytes(_folder.CacheFile);
        string[] keys = ["k1", "k2", "k3"];
        string[] values = ["one", "two", "three"];
        int start = Encoding.UTF8.GetString(whole).IndexOf($"{{\"k\":\"{keys[record]}\",\"v\":\"{values[record]}\"", StringComparison.Ordinal);
        int end = start + whole.AsSpan(start).IndexOf((byte)'\n');
        for (int at = start; at <= end; at++)
        {
            for (int bit = 0; bit < 8; bit++)
            {
                byte[] flipped = (byte[])whole.Clone();
                flipped[at] ^= (byte)(1 << bit);
                Check(flipped, keys, values, record, mayBeServed: at == end);
            }
        }
    }

    private void Check(byte[] file, string[] keys, string[] values, int record, bool mayBeServed)
    {
        File.WriteAllBytes(_folder.CacheFile, file);
        File.Delete(_folder.CacheFile + ".idx");
        File.Delete(_folder.CacheFile + ".damaged");
        using DistributedFileStoreCacheString cache = _folder.Open();
        for (int i = 0; i < keys.Length; i++)
        {
            string? actual = cache.Get(keys[i]);
            if (i == record)
            {
                // If only the line feed was damaged, the record itself is intact. A read may return this record's value or a miss, but no other value.
                Assert.True(actual is null || (mayBeServed && actual == values[i]), $"{keys[i]} was {actual}");
            }
            else
            {
                Assert.Equal(values[i], actual);
            }
        }
        Assert.True(File.Exists(_folder.CacheFile + ".damaged"));
        Assert.Equal(1, cache.Status.DamagedLines);
        cache.Set(keys[record], "again");
        Assert.Equal("again", cache.Get(keys[record]));
    }

    [Fact]
    public void Damaged_bytes_are_saved_once_and_removed_by_next_compaction()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("a", "1");
            cache.Set("b", "2");
        }
        byte[] whole = File.ReadAllBytes(_folder.CacheFile);
        whole[LogHeader.Bytes + 8] ^= 1;
        File.WriteAllBytes(_folder.CacheFile, whole);
        for (int i = 0; i < 3; i++)
        {
            using DistributedFileStoreCacheString cache = _folder.Open();
            Assert.Null(cache.Get("a"));
            Assert.Equal("2", cache.Get("b"));
        }
        Assert.Single(File.ReadAllLines(_folder.CacheFile + ".damaged"));
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            Assert.True(cache.Engine().Compact());
        }
        using DistributedFileStoreCacheString clean = _folder.Open();
        Assert.Equal(0, clean.Status.DamagedLines);
        Assert.Null(clean.Get("a"));
    }

    [Fact]
    public void Flipped_bit_in_first_line_is_repaired()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("a", "1");
        }
        byte[] whole = File.ReadAllBytes(_folder.CacheFile);
        for (int at = 0; at < 90; at += 7)
        {
            byte[] flipped = (byte[])whole.Clone();
            flipped[at] ^= 4;
            File.WriteAllBytes(_folder.CacheFile, flipped);
            using DistributedFileStoreCacheString cache = _folder.Open();
            Assert.Equal("1", cache.Get("a"));
        }
    }

    [Fact]
    public void Adjacent_damaged_records_lose_only_their_own_entries()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            for (int i = 0; i < 5; i++)
            {
                cache.Set("key" + i, "old");
            }
            for (int i = 0; i < 5; i++)
            {
                cache.Set("key" + i, "new");
            }
        }
        string[] lines = File.ReadAllLines(_folder.CacheFile);
        // Valid JSON would be accepted as a manual edit.
        lines[7] = lines[7].Replace("\"v\":\"n", "\"v\":XY\"", StringComparison.Ordinal);
        lines[8] = lines[8].Replace("\"v\":\"new", "\"v\"zzzz\"", StringComparison.Ordinal);
        File.WriteAllText(_folder.CacheFile, string.Join('\n', lines) + "\n");
        using DistributedFileStoreCacheString damaged = _folder.Open();
        Assert.Equal(["new", null, null, "new", "new"], Enumerable.Range(0, 5).Select(i => damaged.Get("key" + i)));
    }
}
