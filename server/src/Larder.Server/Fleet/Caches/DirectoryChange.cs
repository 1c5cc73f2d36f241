namespace Larder.Server.Fleet;

/// <summary>A change to a whole cache. The lower-case name is the argument of the Lua script.</summary>
internal enum DirectoryChange
{
    Create,
    Delete,
    Flush,
}
