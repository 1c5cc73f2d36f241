// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DeleteOperation(CacheBytes key) : IOperation<DeleteOperation, DeleteResponse>
{
    public static OperationInfo Info => OperationTable.Delete;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(1, key);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
    }

    public static DeleteResponse Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return DeleteResponse.Success.Instance;
    }

    public static DeleteResponse Fail(CacheError error) => new DeleteResponse.Error(error);
}
