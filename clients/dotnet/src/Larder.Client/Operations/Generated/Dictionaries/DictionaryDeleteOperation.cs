// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DictionaryDeleteOperation(CacheBytes name) : IOperation<DictionaryDeleteOperation, CacheResult>
{
    public static OperationInfo Info => OperationTable.DictionaryDelete;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name) + ProtoWriter.BytesFieldLength(3, 0);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        writer.WriteLengthPrefix(3, 0);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
