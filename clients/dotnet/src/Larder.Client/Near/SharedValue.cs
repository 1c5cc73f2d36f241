namespace Larder.Client.Near;

/// <summary>
/// A value that many callers are shown and none may change (NEAR-30). Refers to nothing else: whoever keeps an answer keeps no copy alive with it.
/// </summary>
internal sealed class SharedValue(byte[] bytes)
{
    public byte[] Bytes { get; } = bytes;
}
