using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class PublishOperation(CacheBytes cache, CacheBytes topic, CacheBytes value) : IOperation<PublishOperation, CacheResult>
{
    private const int CacheField = 1;
    private const int TopicField = 2;
    private const int ValueField = 3;

    // The fields of the message TopicValue. A string is sent as text, and any other value as bytes.
    private const int Text = 1;
    private const int Binary = 2;

    private readonly int _kind = value.IsText ? Text : Binary;

    public static OperationInfo Info => OperationTable.Publish;

    public int KeyLength => topic.Length;

    public void EndCopies(NearReads near, string cache)
    {
    }

    public int Measure() =>
        Field.Measure(CacheField, cache) + Field.Measure(TopicField, topic) + ProtoWriter.BytesFieldLength(ValueField, Field.Measure(_kind, value));

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, CacheField, cache);
        Field.Write(ref writer, TopicField, topic);
        writer.WriteLengthPrefix(ValueField, Field.Measure(_kind, value));
        Field.Write(ref writer, _kind, value);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return CacheResult.Success;
    }

    public static CacheResult Fail(CacheError error) => CacheResult.Failed(error);
}
