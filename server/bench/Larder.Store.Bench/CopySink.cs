namespace Larder.Store.Bench;

/// <summary>Copies the value, as a server does.</summary>
internal readonly struct CopySink(byte[] destination) : IValueSink
{
    public void Accept(ReadOnlySpan<byte> value) => value.CopyTo(destination);
}
