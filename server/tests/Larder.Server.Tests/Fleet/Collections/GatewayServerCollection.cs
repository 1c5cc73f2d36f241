using System.Diagnostics.CodeAnalysis;

namespace Larder.Server.Tests.Fleet.Collections;

/// <summary>The tests that share a front: one class after the other.</summary>
[CollectionDefinition(FrontServer.Name)]
[SuppressMessage("Naming", "CA1711", Justification = "What xunit calls it.")]
public sealed class FrontServerCollection : ICollectionFixture<FrontServer>;
