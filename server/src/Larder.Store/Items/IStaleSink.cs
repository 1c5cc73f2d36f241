namespace Larder.Store;

/// <summary>Receives a stale value. A struct that implements it is called without indirection.</summary>
public interface IStaleSink
{
    /// <summary>Takes the value.</summary>
    /// <param name="value">The bytes stored under the key; valid during the call only.</param>
    /// <param name="expiredMs">How long ago it expired, in milliseconds: 0 or more.</param>
    void Accept(ReadOnlySpan<byte> value, long expiredMs);
}
