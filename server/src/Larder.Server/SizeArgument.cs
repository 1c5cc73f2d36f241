namespace Larder.Server;

/// <summary>A number of bytes on the command line, which help shows as <c>4 GiB</c>.</summary>
internal readonly record struct SizeArgument(long Bytes)
{
    public override string ToString() => ByteSize.Format(Bytes);
}
