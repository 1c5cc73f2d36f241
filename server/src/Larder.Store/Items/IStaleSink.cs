namespace Larder.Store;

/// <summary>Receives a stale value. Implementations should be structs, which are called without indirection.</summary>
public interface IStaleSink
{
    /// <summary>Receives the value.</summary>
    /// <param name="value">The value. It is valid only during the call.</param>
    /// <param name="expiredMs">The time since the value expired, in milliseconds: 0 or more.</param>
    /// <param name="validator">The validator that was stored with the value; empty if there is none. It is valid only during the call.</param>
    void Accept(ReadOnlySpan<byte> value, long expiredMs, ReadOnlySpan<byte> validator);
}
