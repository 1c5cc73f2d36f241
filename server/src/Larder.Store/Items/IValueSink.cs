namespace Larder.Store;

/// <summary>Receives a value that was found. The value is passed once, as a span that is valid only during the call; the sink must not keep it.</summary>
public interface IValueSink
{
    /// <summary>Receives the value.</summary>
    /// <param name="value">The value; valid only during the call.</param>
    void Accept(ReadOnlySpan<byte> value);
}
