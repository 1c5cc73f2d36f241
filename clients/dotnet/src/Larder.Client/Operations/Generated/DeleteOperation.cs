// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DeleteOperation(CacheBytes key) : IOperation<DeleteOperation, CacheResult>
{
    public static OperationInfo Info => OperationTable.Delete;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(1, key);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
