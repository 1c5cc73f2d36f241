// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetDifferenceFromOperation(CacheBytes name, CacheBytes[] elements) : IOperation<SetDifferenceFromOperation, CacheResult<bool>>
{
    public static OperationInfo Info => OperationTable.SetDifferenceFrom;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int MinuendLength => Field.Measure(1, elements);

    public int Measure() => Field.Measure(1, name) + ProtoWriter.BytesFieldLength(2, MinuendLength);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);

        int length = MinuendLength;
        writer.WriteLengthPrefix(2, length);
        Field.Write(ref writer, 1, elements);
    }

    public static CacheResult<bool> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out _) switch
    {
        1 => BooleanResults.Success(true),
        2 => BooleanResults.Success(false),
        _ => throw Answer.Unexpected("setDifferenceFrom"),
    };

    public static CacheResult<bool> Fail(CacheError error) => CacheResult<bool>.Failed(error);
}
