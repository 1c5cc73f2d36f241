// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetDifferenceOperation(CacheBytes name, CacheBytes[] elements) : IOperation<SetDifferenceOperation, CacheResult<bool>>
{
    public static OperationInfo Info => OperationTable.SetDifference;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int SetLength => Field.Measure(1, elements);

    public int Measure() => Field.Measure(1, name) + ProtoWriter.BytesFieldLength(3, ProtoWriter.BytesFieldLength(1, SetLength));

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);

        int length = SetLength;
        writer.WriteLengthPrefix(3, ProtoWriter.BytesFieldLength(1, length));
        writer.WriteLengthPrefix(1, length);
        Field.Write(ref writer, 1, elements);
    }

    public static CacheResult<bool> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out _) switch
    {
        1 => BooleanResults.Success(true),
        2 => BooleanResults.Success(false),
        _ => throw Answer.Unexpected("setDifference"),
    };

    public static CacheResult<bool> Fail(CacheError error) => CacheResult<bool>.Failed(error);
}
