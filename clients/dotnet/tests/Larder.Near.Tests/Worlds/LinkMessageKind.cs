namespace Larder.Near.Tests.Worlds;

/// <summary>The kinds of messages from a node.</summary>
internal enum LinkMessageKind : byte
{
    None,
    Reply,
    Changed,
    RenewReply,
}
