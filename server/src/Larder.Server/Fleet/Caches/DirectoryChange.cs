namespace Larder.Server.Fleet;

/// <summary>What is done to a cache as a whole: by its name in lower case the script's word.</summary>
internal enum DirectoryChange
{
    Create,
    Delete,
    Flush,
}
