namespace Larder.Store;

/// <summary>
/// Receives a value that was found. The value is passed once, as a span. The span is valid only during the call, so the sink must not store it.
/// </summary>
public interface IValueSink
{
    /// <summary>Receives the value.</summary>
    /// <param name="value">The value. It is valid only during the call.</param>
    void Accept(ReadOnlySpan<byte> value);
}
