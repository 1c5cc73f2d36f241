namespace Larder.Server.Configuration;

/// <summary>A size on the command line, shown in the help as <c>4 GiB</c>.</summary>
internal readonly record struct SizeArgument(long Bytes)
{
    public override string ToString() => ByteSize.Format(Bytes);
}
