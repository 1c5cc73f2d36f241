// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetLengthOperation(CacheBytes name) : IOperation<SetLengthOperation, LookupResult<int>>
{
    public static OperationInfo Info => OperationTable.SetLength;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static LookupResult<int> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<int>.Hit(Answer.ReadInt(content, 1)),
        2 => LookupResult<int>.Miss,
        _ => throw Answer.Unexpected("setLength"),
    };

    public static LookupResult<int> Fail(CacheError error) => LookupResult<int>.Failed(error);
}
