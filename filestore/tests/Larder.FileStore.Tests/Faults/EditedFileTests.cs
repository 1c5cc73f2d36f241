using Larder.Harness.Clocks;

namespace Larder.FileStore.Tests;

/// <summary>Tests that changed, added and removed lines take effect if the file is edited manually.</summary>
public sealed class EditedFileTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Line_overwritten_during_read_is_not_treated_as_manual_edit()
    {
        (byte[] before, byte[] after) = (Filled('a'), Filled('b'));
        bool isArmed = false;
        using Sidecar another = Sidecar.Open(_folder.CacheFile + ".idx");
        // The cache reads the clock while it parses the first line. At that time it has read the first block of the file, so this action runs between two
        // blocks.
        HookedTime time = new(() => isArmed && IsLocked(another), () =>
        {
            isArmed = false;
            using FileStream file = new(_folder.CacheFile, FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete);
            file.Write(after);
        });
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = time);
        string beside = Path.Combine(_folder.Path, "beside");
        File.WriteAllBytes(beside, before);
        File.Move(beside, _folder.CacheFile, overwrite: true);
        isArmed = true;
        cache.Set("after", "1");
        Assert.False(isArmed);
        string[] values = [.. Enumerable.Range(0, Lines).Select(i => cache.Get("key" + i) ?? "")];
        Assert.Contains(values, v => v.StartsWith('a'));
        Assert.Contains(values, v => v.StartsWith('b'));
        Assert.All(values, v => Assert.Single(v.Distinct().DefaultIfEmpty()));
    }

    /// <summary>The number of lines in the file. They fill about three blocks of 256 KB.</summary>
    private const int Lines = 800;

    /// <summary>Returns the content of a file whose values consist of <paramref name="letter"/>.</summary>
    private static byte[] Filled(char letter)
    {
        using ScratchFolder folder = new();
        using DistributedFileStoreCacheString cache = folder.Open();
        cache.Set("expiring", "1", new() { AbsoluteExpiration = DateTimeOffset.UnixEpoch.AddYears(100) });
        for (int i = 0; i < Lines; i++)
        {
            cache.Set("key" + i, new string(letter, 1000));
        }
        return File.ReadAllBytes(folder.CacheFile);
    }

    private static bool IsLocked(Sidecar another)
    {
        if (!another.TryLock())
        {
            return true;
        }
        another.Unlock();
        return false;
    }

    private string[] Fill()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("a", "one");
            cache.Set("b", "two");
            cache.Set("c", "three");
        }
        return File.ReadAllLines(_folder.CacheFile);
    }

    private static void AssertHolds(DistributedFileStoreCacheString cache, params string?[] values) =>
        Assert.Equal<IEnumerable<string?>>(values, [cache.Get("a"), cache.Get("b"), cache.Get("c"), cache.Get("d")]);

    private void Check(params string?[] values)
    {
        // The first cache rewrites the edited file when it is opened. The second cache reads the rewritten file.
        for (int i = 0; i < 2; i++)
        {
            using DistributedFileStoreCacheString cache = _folder.Open();
            AssertHolds(cache, values);
            Assert.Equal(0, cache.Status.DamagedLines);
            cache.Engine().AssertValid();
        }
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("e", "after");
        }
        using DistributedFileStoreCacheString again = _folder.Open();
        AssertHolds(again, values);
        Assert.Equal("after", again.Get("e"));
        Assert.Equal(LogHeader.Bytes, File.ReadLines(_folder.CacheFile).First().Length + 1);
        Assert.False(File.Exists(_folder.CacheFile + ".damaged"));
    }

    [Fact]
    public void Changed_line_updates_its_value()
    {
        string[] lines = Fill();
        lines[2] = lines[2].Replace("\"two\"", "\"a longer value\"", StringComparison.Ordinal);
        lines[3] = lines[3].Replace("\"three\"", "\"3\"", StringComparison.Ordinal);
        File.WriteAllText(_folder.CacheFile, string.Join('\n', lines) + "\n");
        Check("one", "a longer value", "3", null);
    }

    [Theory]
    [InlineData("{\"k\":\"d\",\"v\":\"four\"}", "four")]
    [InlineData("  { \"k\": \"d\", \"v\": \"four\" },", null)]
    [InlineData(" { \"v\": \"fo\\u0075r\", \"k\": \"d\", } ", "four")]
    [InlineData("{\"k\":\"d\",\"v\":4,\"c\":\"\"}", "4")]
    [InlineData("{\"m\":[{\"k\":\"d\",\"v\":\"1\"},{\"k\":\"d\",\"v\":\"four\"}]}", "four")]
    [InlineData("{\"k\":\"d\",\"b\":\"Zm91cg==\",\"x\":32503680000000}", "four")]
    public void Added_line_needs_no_checksum(string line, string? value)
    {
        string[] lines = Fill();
        File.WriteAllText(_folder.CacheFile, string.Join('\n', [.. lines, line]) + "\n");
        if (value is null)
        {
            // Invalid JSON is treated as damage. No other entry is lost.
            using DistributedFileStoreCacheString cache = _folder.Open();
            Assert.Equal(1, cache.Status.DamagedLines);
            Assert.Equal(3, cache.Count);
            return;
        }
        Check("one", "two", "three", value);
    }

    [Fact]
    public void Added_last_line_may_lack_line_ending()
    {
        string[] lines = Fill();
        File.WriteAllText(_folder.CacheFile, string.Join('\n', [.. lines, "{\"k\":\"d\",\"v\":\"four\"}"]));
        Check("one", "two", "three", "four");
    }

    [Fact]
    public void Removed_line_deletes_its_entry()
    {
        string[] lines = Fill();
        File.WriteAllText(_folder.CacheFile, string.Join('\n', [lines[0], lines[1], lines[3]]) + "\n");
        Check("one", null, "three", null);
    }

    [Theory]
    [InlineData("\r\n", false, "")]
    [InlineData("\r\n", true, "")]
    [InlineData("\n", true, "")]
    [InlineData("\n", true, "\uFEFF")]
    [InlineData("\r\n", false, "\uFEFF")]
    public void Different_line_endings_and_trimmed_spaces_are_accepted(string end, bool trimmed, string mark)
    {
        string[] lines = Fill();
        IEnumerable<string> saved = trimmed ? lines.Select(l => l.TrimEnd()) : lines.Select((l, i) => i == 0 ? l : l + "  ");
        File.WriteAllText(_folder.CacheFile, mark + string.Join(end, saved) + end);
        Check("one", "two", "three", null);
    }

    [Fact]
    public void Handwritten_set_remove_and_clear_lines_are_applied()
    {
        string[] lines = Fill();
        File.WriteAllText(
            _folder.CacheFile,
            string.Join('\n', [lines[0], "{\"clear\":1}", "{\"k\":\"a\",\"v\":\"1\"}", "{\"k\":\"b\",\"v\":\"2\"}", "", "{\"d\":\"a\"}"]) + "\n");
        Check(null, "2", null, null);
    }

    [Theory]
    [InlineData("{\"k\":\"d\"}")]
    [InlineData("{\"k\":\"d\",\"v\":\"four\",\"z\":1}")]
    [InlineData("{\"k\":\"d\",\"d\":\"d\",\"v\":\"four\"}")]
    [InlineData("{\"k\":\"d\",\"v\":\"four\",\"b\":\"/w==\"}")]
    [InlineData("{\"k\":\"d\",\"v\":{}}")]
    [InlineData("{\"k\":\"d\",\"v\":\"four\"")]
    [InlineData("[1]")]
    [InlineData("k=d")]
    public void Invalid_line_is_saved_aside_and_other_entries_stay(string line)
    {
        string[] lines = Fill();
        File.WriteAllText(_folder.CacheFile, string.Join('\n', [lines[0], lines[1], line, lines[2], lines[3]]) + "\n");
        using DistributedFileStoreCacheString cache = _folder.Open();
        AssertHolds(cache, "one", "two", "three", null);
        Assert.Equal(1, cache.Status.DamagedLines);
        Assert.True(File.Exists(_folder.CacheFile + ".damaged"));
    }

    [Fact]
    public void Running_processes_load_file_replaced_by_editor()
    {
        ManualTime time = new();
        using DistributedFileStoreCacheString cache = _folder.Open(o => o.TimeProvider = time);
        using DistributedFileStoreCacheString other = _folder.Open(o => o.TimeProvider = time);
        cache.Set("a", "one");
        cache.Set("b", "two");
        string edited = File.ReadAllText(_folder.CacheFile).Replace("\"one\"", "\"first\"", StringComparison.Ordinal) + "{\"k\":\"c\",\"v\":\"3\"}\n";
        string beside = Path.Combine(_folder.Path, "saved");
        File.WriteAllText(beside, edited);
        File.Move(beside, _folder.CacheFile, overwrite: true);
        time.Advance(TimeSpan.FromSeconds(2));
        AssertHolds(cache, "first", "two", "3", null);
        AssertHolds(other, "first", "two", "3", null);
        other.Set("d", "4");
        Assert.Equal("4", cache.Get("d"));
    }
}
