using System.Text.Json.Serialization;

namespace Larder.Examples.Native;

internal sealed record Price(string Article, decimal Euros);

internal sealed record Order(int Id, string Article);

internal sealed record Stock(string Article, int Pieces);

/// <summary>The JSON metadata of this program's types, generated at build time. A native program cannot use reflection to find the members of a type.</summary>
[JsonSerializable(typeof(Price))]
[JsonSerializable(typeof(Order))]
[JsonSerializable(typeof(Stock))]
internal sealed partial class ShopJson : JsonSerializerContext;
