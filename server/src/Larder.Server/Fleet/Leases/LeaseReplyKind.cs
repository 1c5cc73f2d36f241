namespace Larder.Server.Fleet;

/// <summary>What the script <c>lease-get</c> has found. The numeric values are those that the script returns.</summary>
internal enum LeaseReplyKind
{
    Hit = 1,
    Stale = 2,
    Missing = 3,
}
