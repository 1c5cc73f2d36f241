namespace Larder.Client.Near;

/// <summary>
/// A value that many callers share and that none of them may change (NEAR-30). The object references only the bytes. A caller that keeps a response therefore
/// does not keep the near cache's copy object in memory.
/// </summary>
internal sealed class SharedValue(byte[] bytes)
{
    public byte[] Bytes { get; } = bytes;
}
