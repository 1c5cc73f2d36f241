namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends a request with unknown fields, each with a different field number.</summary>
internal sealed class UnknownFieldsAttack : LargeRequestAttack
{
    // The lowest field number that the request does not define.
    private const int FirstField = 16;

    /// <inheritdoc/>
    public override string Name => "unknown-fields";

    /// <inheritdoc/>
    public override string Description => "ScanKeys with 10.9 MB of distinct unknown fields, with a read-only token, while the store is full";

    /// <inheritdoc/>
    public override string Path => "/larder.v1.Extras/ScanKeys";

    /// <inheritdoc/>
    public override byte[] Request()
    {
        using var request = new MemoryStream(RequestBytes);
        for (int field = FirstField; ; field++)
        {
            byte[] next = ProtoBytes.Number(field, 1);
            if (request.Length + next.Length > RequestBytes)
            {
                return request.ToArray();
            }

            request.Write(next);
        }
    }
}
