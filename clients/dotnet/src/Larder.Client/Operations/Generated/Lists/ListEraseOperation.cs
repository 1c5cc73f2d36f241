// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class ListEraseOperation(CacheBytes name, ListRange[] ranges) : IOperation<ListEraseOperation, LookupResult<int>>
{
    public static OperationInfo Info => OperationTable.ListErase;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int SomeLength => Field.Measure(1, ranges);

    public int Measure() => Field.Measure(1, name) + ProtoWriter.BytesFieldLength(2, SomeLength);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);

        int length = SomeLength;
        writer.WriteLengthPrefix(2, length);
        Field.Write(ref writer, 1, ranges);
    }

    public static LookupResult<int> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<int>.Hit(Answer.ReadInt(content, 1)),
        2 => LookupResult<int>.Miss,
        _ => throw Answer.Unexpected("listErase"),
    };

    public static LookupResult<int> Fail(CacheError error) => LookupResult<int>.Failed(error);
}
