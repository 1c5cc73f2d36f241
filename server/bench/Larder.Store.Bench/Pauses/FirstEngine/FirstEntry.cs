namespace Larder.Store.Bench.FirstEngine;

/// <summary>A key with its value, linked into its shard's eviction queue and expiry wheel.</summary>
internal sealed class FirstEntry(ulong hash, byte[] data, int keyLength, long expiresAtMs)
{
    /// <summary>
    /// Bytes per entry in addition to the key and the value: this object, the header of its array, and the index slot at the usual load of the hash set.
    /// </summary>
    public const int OverheadBytes = 160;

    public readonly ulong Hash = hash;
    public readonly int KeyLength = keyLength;

    /// <summary>The key, followed by the value.</summary>
    public byte[] Data = data;
    public long ExpiresAtMs = expiresAtMs;

    /// <summary>Whether the entry was hit since the eviction hand last passed.</summary>
    public bool Visited;
    public FirstEntry? QueueNewer;
    public FirstEntry? QueueOlder;
    public FirstEntry? WheelNext;
    public FirstEntry? WheelPrevious;
    public int WheelBucket = -1;

    public ReadOnlySpan<byte> Key => Data.AsSpan(0, KeyLength);

    public ReadOnlySpan<byte> Value => Data.AsSpan(KeyLength);

    public long ChargeBytes => Data.Length + OverheadBytes;
}
