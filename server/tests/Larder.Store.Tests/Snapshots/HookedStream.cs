namespace Larder.Store.Tests.Snapshots;

/// <summary>A memory stream that calls a function before each write or read.</summary>
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
