// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DeleteCacheOperation(CacheBytes name) : IOperation<DeleteCacheOperation, CacheResult>
{
    public static OperationInfo Info => OperationTable.DeleteCache;

    public int KeyLength => 0;

    public void EndCopies(NearReads near, string cache) => near.Flushed(name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
