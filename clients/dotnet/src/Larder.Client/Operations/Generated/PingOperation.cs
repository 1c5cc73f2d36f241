// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class PingOperation : IOperation<PingOperation, CacheResult>
{
    public static OperationInfo Info => OperationTable.Ping;

    public int KeyLength => 0;

    public void EndCopies(NearReads near, string cache)
    {
    }

    public int Measure() => 0;

    public void Write(ref ProtoWriter writer)
    {
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
