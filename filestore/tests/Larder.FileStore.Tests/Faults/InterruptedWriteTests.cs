using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Tests;

/// <summary>Tests the states of the files after a writer has died between two stores to shared memory, with no system call between the two stores.</summary>
public sealed class InterruptedWriteTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Uncommitted_complete_line_is_recovered_and_partial_line_is_discarded(bool whole)
    {
        using DistributedFileStoreCacheString survivor = _folder.Open();
        survivor.Set("key", "old");
        RecordBuffer buffer = new();
        buffer.BeginLine();
        buffer.Set("key", "new", 0, 0, 0);
        buffer.EndLine();
        using (FileStream file = new(_folder.CacheFile, FileMode.Append, FileAccess.Write, FileShare.ReadWrite))
        {
            file.Write(whole ? buffer.Written : buffer.Written[..^3]);
        }
        MarkDirty();
        Assert.Equal("old", survivor.Get("key"));
        survivor.Set("other", "x");
        Assert.Equal(whole ? "new" : "old", survivor.Get("key"));
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal(whole ? "new" : "old", fresh.Get("key"));
        Assert.Equal("x", fresh.Get("other"));
    }

    [Fact]
    public void Uncommitted_compaction_is_readable_and_finished_by_next_writer()
    {
        using DistributedFileStoreCacheString survivor = _folder.Open();
        for (int i = 0; i < 100; i++)
        {
            survivor.Set("key" + i % 10, i.ToString());
        }
        long committed = Committed();
        using (DistributedFileStoreCacheString compactor = _folder.Open())
        {
            Assert.True(compactor.Engine().Compact());
        }
        SetCommitted(committed);
        MarkDirty();
        Assert.Equal("99", survivor.Get("key9"));
        survivor.Set("key9", "after");
        Assert.Equal("after", survivor.Get("key9"));
        using DistributedFileStoreCacheString fresh = _folder.Open();
        Assert.Equal("after", fresh.Get("key9"));
        Assert.Equal("98", fresh.Get("key8"));
        Assert.Equal(2, fresh.Status.Generation);
    }

    [Fact]
    public void Open_deletes_temporary_file_of_killed_compaction()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("key", "value");
        }
        string left = _folder.CacheFile + ".g1.123abc.tmp";
        File.WriteAllText(left, "left");
        using DistributedFileStoreCacheString again = _folder.Open();
        Assert.False(File.Exists(left));
        Assert.Equal("value", again.Get("key"));
    }

    [Fact]
    public void Sidecar_of_earlier_system_boot_is_rebuilt()
    {
        using (DistributedFileStoreCacheString cache = _folder.Open())
        {
            cache.Set("key", "value");
        }
        InSidecar(16, 12345);
        SetCommitted(Word.Of(77, 99999));
        using DistributedFileStoreCacheString again = _folder.Open();
        Assert.Equal("value", again.Get("key"));
        again.Set("key", "new");
        using DistributedFileStoreCacheString third = _folder.Open();
        Assert.Equal("new", third.Get("key"));
    }

    private void MarkDirty() => InSidecar(128, 1);

    private void SetCommitted(long word) => InSidecar(64, word);

    private long Committed()
    {
        using SafeFileHandle file = OpenFile.Try(_folder.CacheFile + ".idx")!;
        byte[] word = new byte[8];
        RandomAccess.Read(file, word, 64);
        return BitConverter.ToInt64(word);
    }

    private void InSidecar(long at, long value)
    {
        using SafeFileHandle file = OpenFile.Try(_folder.CacheFile + ".idx")!;
        RandomAccess.Write(file, BitConverter.GetBytes(value).AsSpan(0, at == 128 ? 4 : 8), at);
    }
}
