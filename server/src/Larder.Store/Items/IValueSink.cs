namespace Larder.Store;

/// <summary>
/// Receives a value that was found. It sees the value once, as a span over memory that is valid only during the
/// call, and writes what it needs (a length prefix, the bytes) to where its caller wants them. It must not keep the span.
/// </summary>
public interface IValueSink
{
    /// <summary>Takes the value.</summary>
    /// <param name="value">The bytes stored under the key.</param>
    void Accept(ReadOnlySpan<byte> value);
}
