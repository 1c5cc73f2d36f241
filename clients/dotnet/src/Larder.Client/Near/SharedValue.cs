namespace Larder.Client.Near;

/// <summary>
/// A value that many callers share and none may change (NEAR-30). It has no other references, so keeping a response does not keep a copy alive.
/// </summary>
internal sealed class SharedValue(byte[] bytes)
{
    public byte[] Bytes { get; } = bytes;
}
