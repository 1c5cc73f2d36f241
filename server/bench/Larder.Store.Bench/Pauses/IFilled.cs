namespace Larder.Store.Bench;

/// <summary>An engine that is filled and read in a separate process.</summary>
internal interface IFilled
{
    bool Get(ReadOnlySpan<byte> key, byte[] destination);

    void Set(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value);
}
