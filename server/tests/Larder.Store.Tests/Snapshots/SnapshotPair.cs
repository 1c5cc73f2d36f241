using Larder.Store.Snapshots;

namespace Larder.Store.Tests.Snapshots;

/// <summary>A store before a restart and one after it, with separate clocks.</summary>
internal sealed class SnapshotPair : IDisposable
{
    public SnapshotPair(long bytesAfter = 64L << 20, int shards = 0, long bytesBefore = 64L << 20)
    {
        Before = new StoreFixture(bytesBefore, shards);
        After = new StoreFixture(bytesAfter);
    }

    public StoreFixture Before { get; }

    public StoreFixture After { get; }

    /// <summary>Writes a snapshot of the first store to memory.</summary>
    public byte[] Write() => Write(Before.Store);

    public static byte[] Write(CacheStore store)
    {
        using MemoryStream stream = new();
        SnapshotWritten written = SnapshotWriter.Write(store, stream, CancellationToken.None);
        Assert.Equal(stream.Length, written.Bytes);
        return stream.ToArray();
    }

    /// <summary>Loads a snapshot into the second store.</summary>
    public SnapshotLoaded Load(byte[] snapshot)
    {
        using MemoryStream stream = new(snapshot, writable: false);
        return SnapshotLoader.Load(After.Store, stream, CancellationToken.None);
    }

    /// <summary>Loads a snapshot that must be rejected, and asserts that the second store contains no part of it.</summary>
    public SnapshotFault Refusal(byte[] snapshot)
    {
        SnapshotException error = Assert.Throws<SnapshotException>(() => Load(snapshot));
        Assert.Equal((0, 1), (After.Store.GetStatistics().Entries, After.Store.CacheNames.Count));
        return error.Fault;
    }

    public void Dispose()
    {
        Before.Dispose();
        After.Dispose();
    }
}
