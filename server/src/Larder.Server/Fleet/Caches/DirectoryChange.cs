namespace Larder.Server.Fleet;

/// <summary>A change of a whole cache. The name of the enum member, in lower case, is passed to the Lua script.</summary>
internal enum DirectoryChange
{
    Create,
    Delete,
    Flush,
}
