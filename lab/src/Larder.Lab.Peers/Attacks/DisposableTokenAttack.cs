namespace Larder.Lab.Peers.Attacks;

/// <summary>Sends a request with millions of empty permissions to a call that needs no token.</summary>
internal sealed class DisposableTokenAttack : LargeRequestAttack
{
    private const int PermissionsField = 3, ExplicitField = 2, PermissionField = 1;

    // An empty permission consists of a tag and a length.
    private const int PermissionBytes = 2;

    // The number of bytes for the tags and lengths of the messages that contain the permissions.
    private const int WrapperBytes = 16;

    /// <inheritdoc/>
    public override string Name => "disposable-token";

    /// <inheritdoc/>
    public override string Description => "GenerateDisposableToken with 10.9 MB of empty permissions, while the store is full";

    /// <inheritdoc/>
    public override string Path => "/token.Token/GenerateDisposableToken";

    /// <inheritdoc/>
    public override byte[] Request()
    {
        byte[] permissions = ProtoBytes.Repeat(ProtoBytes.Bytes(PermissionField), (RequestBytes - WrapperBytes) / PermissionBytes);
        return ProtoBytes.Bytes(PermissionsField, ProtoBytes.Bytes(ExplicitField, permissions));
    }
}
