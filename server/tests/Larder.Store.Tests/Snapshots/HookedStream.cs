namespace Larder.Store.Tests.Snapshots;

/// <summary>Memory to write to, and to read again, that does something before each write or read.</summary>
internal sealed class HookedStream(Action before) : MemoryStream
{
    public override void Write(ReadOnlySpan<byte> buffer)
    {
        before();
        base.Write(buffer);
    }

    public override int Read(Span<byte> buffer)
    {
        before();
        return base.Read(buffer);
    }
}
