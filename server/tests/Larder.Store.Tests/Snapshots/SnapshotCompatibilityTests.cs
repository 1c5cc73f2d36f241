using Larder.Store.Snapshots;

namespace Larder.Store.Tests.Snapshots;

public sealed class SnapshotCompatibilityTests
{
    // The file was written by version 0.1.0, which did not support collections. It contains the keys text, empty and n, a key that expires after a second, and
    // the key k in a cache with a quota of 1 GiB.
    private const string OfScalars =
        "iUxSRFNOQVABAAAAKAAAALtMeS2xNktgAGjlz4sBAAAAAAAAOXwFJwEAAACQAAAAu0x5LbE2S2AAAAAAAAAAAAUAAADT17nKAAAAAAEAAAAEAAAAAQAAAOhr"
            + "5c+LAQAAZ29uZXgAAAAAAQAAAAEAAAACAAAAgFYc0IsBAABuNDIAAAAAAgAAAAEAAAABAAAAgFYc0IsBAABrdgAAAAABAAAABQAAAAAAAACAVhzQiwEAAGVt"
            + "cHR5AAEAAAEAAAAEAAAABQAAAIBWHNCLAQAAdGV4dGhlbGxvAgAAACQAAAC7THktsTZLYAEAAAAAAAAAAgAAAJ8+iWMBAAAABQAAAGNhY2hlAgAAAAcACABs"
            + "aW1pdGVkAAAAQAAAAAADAAAAGAAAALtMeS2xNktgAgAAAAAAAAABAAAAZPKAjAUAAAAAAAAAAgAAAAAAAAAAaOXPiwEAAA==";

    [Fact]
    public void Load_accepts_file_of_version_without_collections()
    {
        using SnapshotPair pair = new();
        pair.After.Clock.SetWall(TimeSpan.FromSeconds(1));
        SnapshotLoaded loaded = pair.Load(Convert.FromBase64String(OfScalars));
        Assert.Equal((4, 2, 1), (loaded.Entries, loaded.Caches, loaded.Expired));
        Assert.Equal((string?[])["hello", "", "42", null], ((string[])["text", "empty", "n", "gone"]).Select(key => pair.After.Get(key)));
        Cache limited = pair.After.Store.Find("limited")!;
        Assert.Equal(("v", 1L << 30), (StoreFixture.Get(limited, "k"), limited.MaxBytes));
    }

    [Fact]
    public void Write_encodes_scalars_as_in_earlier_versions()
    {
        using SnapshotPair pair = new(shards: 1);
        pair.Before.Set("text", "hello");
        byte[] snapshot = pair.Write();
        int entry = SnapshotHeader.Bytes + SnapshotBlockHeader.Bytes;
        Assert.Equal(
            "00000000" + "01000000" + "04000000" + "05000000" + "80561CD08B010000" + "74657874" + "68656C6C6F",
            Convert.ToHexString(snapshot.AsSpan(entry, SnapshotRecord.Bytes + 9)));
    }
}
