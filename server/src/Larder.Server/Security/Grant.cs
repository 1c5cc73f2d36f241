namespace Larder.Server.Security;

/// <summary>One line of what a token may do.</summary>
/// <param name="Cache">The cache's name; <see cref="AllCaches"/>: every one.</param>
/// <param name="Rights">What it may do with items there, and with the cache.</param>
/// <param name="KeyPrefix">What the keys begin with for which it holds, 1 byte or more; null: any.</param>
/// <param name="Topics">What it may do with the cache's topics.</param>
internal sealed record Grant(string Cache, Rights Rights, byte[]? KeyPrefix = null, Rights Topics = Rights.None)
{
    public const string AllCaches = "*";
}
