namespace Larder.Near.Tests.Worlds;

/// <summary>What a node says.</summary>
internal enum LinkMessageKind : byte
{
    None,
    Reply,
    Changed,
    RenewReply,
}
