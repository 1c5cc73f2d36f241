namespace Larder.Store.Bench;

/// <summary>Copies the value, in the same way as a server.</summary>
internal readonly struct CopySink(byte[] destination) : IValueSink
{
    public void Accept(ReadOnlySpan<byte> value) => value.CopyTo(destination);
}
