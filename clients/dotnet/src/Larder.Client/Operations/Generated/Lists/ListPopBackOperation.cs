// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct ListPopBackOperation(CacheBytes name) : IOperation<ListPopBackOperation, LookupResult<PoppedElement>>
{
    public static OperationInfo Info => OperationTable.ListPopBack;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static LookupResult<PoppedElement> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<PoppedElement>.Hit(new PoppedElement(Answer.ReadBytes(content, 1).ToArray(), Answer.ReadInt(content, 2))),
        2 => LookupResult<PoppedElement>.Miss,
        _ => throw Answer.Unexpected("listPopBack"),
    };

    public static LookupResult<PoppedElement> Fail(CacheError error) => LookupResult<PoppedElement>.Failed(error);
}
