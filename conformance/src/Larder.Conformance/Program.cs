using Larder.Conformance;

return await Conformance.MainAsync(args, Console.Out).ConfigureAwait(false);
