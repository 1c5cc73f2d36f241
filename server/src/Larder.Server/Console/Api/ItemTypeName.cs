using Larder.Store;
using Microsoft.AspNetCore.Http;

namespace Larder.Server.Console.Api;

/// <summary>The names that the page uses for item types.</summary>
internal static class ItemTypeName
{
    public static string Of(ItemType type) => type switch
    {
        ItemType.Scalar => "scalar",
        ItemType.Dictionary => "dictionary",
        ItemType.Set => "set",
        ItemType.List => "list",
        ItemType.SortedSet => "sorted set",
        _ => "unknown",
    };

    /// <summary>Returns the type with the given name. Returns null, which means any type, if the name is empty.</summary>
    /// <exception cref="ApiException">The name is unknown.</exception>
    public static ItemType? Parse(string name) =>
        name.Length == 0 ? null
        : Enum.GetValues<ItemType>().Cast<ItemType?>().FirstOrDefault(type => Of(type!.Value) == name)
            ?? throw new ApiException(StatusCodes.Status400BadRequest, "unknown item type");

    /// <summary>Returns the collection type with the given name.</summary>
    /// <exception cref="ApiException">No collection type has this name.</exception>
    public static ItemType ParseCollection(string name) => Parse(name) is { } type and not ItemType.Scalar
        ? type
        : throw new ApiException(StatusCodes.Status400BadRequest, "a collection must be a dictionary, set, list or sorted set");
}
