namespace Larder.Server.Fleet;

/// <summary>A change of a whole cache. The name of the value in lower case is an argument of the Lua script.</summary>
internal enum DirectoryChange
{
    Create,
    Delete,
    Flush,
}
