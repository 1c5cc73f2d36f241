using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Leases;

/// <summary>
/// The fields of SetWithLeaseRequest: 1 key, 2 value, 3 ttl_ms, 4 stale_ms, 5 token, 6 tags (<see cref="TagList"/>), 7 validator. The byte fields are parts of
/// the request's memory and are not copied.
/// </summary>
internal ref struct SetWithLeaseFields
{
    /// <summary>The number of the repeated field that contains the tags.</summary>
    public const int TagsField = 6;

    public ReadOnlySpan<byte> Key;
    public ReadOnlySpan<byte> Value;
    public ReadOnlySpan<byte> Token;
    public ReadOnlySpan<byte> Validator;
    public ulong TtlMs;
    public ulong StaleMs;

    /// <summary>Decodes the request. Returns null on success. The caller must check the size and TTL limits of the item.</summary>
    public static CallError? Decode(ReadOnlySpan<byte> request, out SetWithLeaseFields fields)
    {
        SetWithLeaseFields decoded = default;
        ProtoReader reader = new(request);
        while (reader.NextField() && decoded.ReadField(ref reader))
        {
        }

        fields = decoded;
        return reader.IsMalformed ? CallError.Malformed : null;
    }

    private bool ReadField(scoped ref ProtoReader reader) => (reader.Field, reader.WireType) switch
    {
        (1, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out Key),
        (2, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out Value),
        (3, ProtoWireType.Varint) => reader.TryReadVarint(out TtlMs),
        (4, ProtoWireType.Varint) => reader.TryReadVarint(out StaleMs),
        (5, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out Token),
        (7, ProtoWireType.LengthDelimited) => reader.TryReadBytes(out Validator),
        _ => reader.TrySkip(),
    };
}
